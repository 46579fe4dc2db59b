# A call in a default, which is computed where the function is defined.
# file: main.py
from work import f

functions = []
for k in range(4):
    functions.append(lambda x, k=f(k): x + k)  # ahead
print([function(1) for function in functions])
