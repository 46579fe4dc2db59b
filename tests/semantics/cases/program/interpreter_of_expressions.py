# A visitor evaluates expressions whose operators are remote.
# file: work.py
import operator
OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv}
def apply(op, a, b):
    try: return OPS[op](a, b)
    except ZeroDivisionError as e: raise ArithmeticError(f"{a} {op} {b}") from e
# file: main.py
import ast
from work import apply
class Eval(ast.NodeVisitor):
    names = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//"}
    def __init__(self, env): self.env = env
    def visit_Expression(self, n): return self.visit(n.body)
    def visit_Constant(self, n): return n.value
    def visit_Name(self, n): return self.env[n.id]
    def visit_BinOp(self, n): return apply(self.names[type(n.op)], self.visit(n.left), self.visit(n.right))
    def visit_IfExp(self, n): return self.visit(n.body if self.visit(n.test) else n.orelse)
    def visit_Call(self, n): return self.env[n.func.id](*map(self.visit, n.args))
    def generic_visit(self, n): raise SyntaxError(f"no {type(n).__name__}")
env = {"x": 3, "max": max, "ap": lambda a, b: apply("+", a, b)}
for src in ["1+2*x", "(x-3) if x//2 else 7", "max(x*x, 2, ap(4, 6))", "1/(x-3)", "[1]", "y"]:
    try: print(src, "=", Eval(env).visit(ast.parse(src, mode="eval")))
    except (ArithmeticError, SyntaxError, KeyError) as e: print(src, "!", type(e).__name__, e, repr(e.__cause__))
