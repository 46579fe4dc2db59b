# Nodes of syntax trees that functions find and change are those of the program's tree.
# file: cord.toml
[remote.work]
inline = false
# file: work.py
import ast


class Upper(ast.NodeTransformer):
    def visit_Name(self, node):
        node.id = node.id.upper()
        return node


def upper(tree):
    Upper().visit(tree)


def replaced(tree):
    return Upper().visit(tree)


def names(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
# file: main.py
import ast

import work

tree = ast.parse("x = y + 1")
left = tree.body[0].value.left
work.upper(tree)
print(ast.unparse(tree), left.id)
for node in work.names(tree):
    node.id += "_"
print(ast.unparse(tree), left.id, work.replaced(tree) is tree, work.names(tree)[1] is left)
