# entry: f
# args: 1.7
# args: -0.2
# order: 2
# note: floats that are constants in the elements of a list, others in each turn: no reason to unroll a loop


def f(x):
    stack = [(x, 1.0)]
    total = 0.0
    while stack:
        v, d = stack.pop()
        total += v * v * d
        if v > 0.3:
            stack.append((v * 0.5, d + d))
    return total
