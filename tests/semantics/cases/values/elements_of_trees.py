# Elements of a tree of XML that functions find, change or make are those of the program's tree.
# told: 1
# file: cord.toml
[remote.work]
inline = false

[remote.pure]
pure = true
replicas = 2
inline = false
# file: work.py
import xml.etree.ElementTree as ET


def find(tree, i):
    return tree.find(f"c[@i='{i}']")


def grow(tree, k):
    tree[0].set("k", str(k))
    ET.SubElement(tree[1], "e").text = str(k)
    if k:
        tree[1].remove(tree[1][0])


def attributes(element):
    return element.attrib


def every(tree):
    return list(tree.iter())
# file: pure.py
def find(tree, i):
    return tree.find(f"c[@i='{i}']")


def attributes(element):
    return element.attrib


def every(tree):
    return list(tree.iter())


def change(tree):
    tree[0].text = "changed"
# file: main.py
import xml.etree.ElementTree as ET

import pure
import work

tree = ET.fromstring("<r><c i='0'/><c i='1'><d>x</d><d/></c></r>")
for k in range(2):
    for module in (work, pure):
        found = module.find(tree, 1)
        found.text = f"new{k}"
        module.attributes(found)["seen"] = str(k)
        print(found is tree[1], module.attributes(found) is found.attrib)
        print(module.every(tree)[-1] is list(tree.iter())[-1], ET.tostring(tree, "unicode"))
    work.grow(tree, k)
    print(ET.tostring(tree, "unicode"), found is tree[1])
pure.change(tree)
print(ET.tostring(tree, "unicode"))
