# A call reaches the method that it is made of, whatever class has it under whatever name by then.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
only = ["A.go", "A.made", "which"]
# file: work.py
class A:
    def go(self):
        return "A"

    @staticmethod
    def made():
        return "made by A"


class B:
    def go(self):
        return "B"

    @classmethod
    def made(cls):
        return f"made by {cls.__name__}"


def which(x):
    return A().go(), B().go(), A.made(), B.made(), x
# file: main.py
import work


def show():
    print([work.which(x) for x in range(3)])
    print([work.A().go() for _ in range(2)], [work.B().go() for _ in range(2)])
    print(work.A.made(), work.B.made())


show()
work.A.go, work.B.go = work.B.go, work.A.go
show()
had = vars(work.A)["made"], vars(work.B)["made"]
work.A.made, work.B.made = had[::-1]
show()
work.A.go = lambda self: "mine"
show()
