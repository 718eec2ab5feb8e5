# entry: f
# args: 1.7
# note: a stack of tuples whose length only the run knows
def f(x):
    stack = [(x, 1.0)]
    total = 0.0
    while stack:
        v, d = stack.pop()
        total += v * d
        if v > 0.3:
            stack.append((v * 0.5, d + 1.0))
    return total
