# entry: total
# args: {"t": "struct", "cls": "Tree", "v": {"value": 1.0, "children": {"t": "tuple", "v": [{"t": "struct", "cls": "Tree", "v": {"value": 0.5, "children": {"t": "tuple", "v": []}}}, {"t": "struct", "cls": "Tree", "v": {"value": 0.25, "children": {"t": "tuple", "v": [{"t": "struct", "cls": "Tree", "v": {"value": 2.0, "children": {"t": "tuple", "v": []}}}]}}}]}}}
# note: instances with any number of others of their class
from dataclasses import dataclass
import math


@dataclass(frozen=True)
class Tree:
    value: float
    children: list["Tree"]


def total(t):
    s = t.value * t.value
    for child in t.children:
        s = s + math.sin(t.value) * total(child)
    return s * (1 + len(t.children))
