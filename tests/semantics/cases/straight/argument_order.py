# Arguments are evaluated left to right, around nested remote calls, keywords and stars included.
# file: work.py
def gather(*args, **kwargs):
    return [*args, *sorted(kwargs.items())]
# file: main.py
import work


def v(x):
    print("eval", x)
    return x


print(work.gather(v(1), work.gather(v(2), v(3)), k=v(4), *[v(5)], **{v("z"): v(6)}))
print(v("left") + str(work.gather(v("mid"))) + v("right"))
print([v(0), work.gather(v(1)), v(2)], {v("k"): work.gather(v("v"))})
work.gather(v("a"))[0:1] + [v("b")]
print((v("tuple"), work.gather(), v("end")))
