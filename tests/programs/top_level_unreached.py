# entry: f
# args: 2.0
# note: statements that nothing which is reached depends on refuse nothing; `__name__` is not "__main__"
L = [1.0]
with_it = [2.0]
if __name__ == "__main__":
    L.append(100.0)
else:
    L.append(2.0)
if __name__ == "nobody":
    import frobnicate

    with_it.append(frobnicate.value())
for step in range(3):
    L.append(step * 1.0)
    with_it.append(3.0)
    assert len(L) > 1


def f(x):
    return sum(L) * x


if __name__ == "__main__":
    print(f(2.0))
