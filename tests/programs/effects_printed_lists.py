# entry: f
# args: 1.5, 3
# note: lists of known and of run-time length in what is printed, and the ends of lines: `tests/command/printed.rs` has the lines
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    values: list
    n: int


def f(x, n):
    pair, known = (x, 1), [x, (1, [2.0]), "s", [], ()]
    print(pair, known, known[:1] + [n], list(pair), {"a": known[1]}, sorted([3, 1, 2]))
    grown = []
    for i in range(n):
        grown.append(x * i)
        print(i, end=", ")
    print("then", end="")
    print("", grown, (grown, 1), {"a": grown, "b{": [grown, [n]]}, Row(grown, 2), f"<{grown}> {x:.2f} {{}}", sep="; ")
    rows = [[v, (2.0, v)] for v in grown]
    print(rows, len(rows))
    return grown[n - 1]
