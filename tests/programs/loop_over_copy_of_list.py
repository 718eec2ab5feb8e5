# entry: f
# args: 0.7, 1.5
# args: -0.4, 1.5
# note: what a loop runs over is a copy of the list that it changes, of a length that only the run knows


def f(t, u):
    w = [t, u, t * u]
    if t > 0.2:
        w.pop()
    for v in w[:]:
        w.append(v * t)
    for v in w + [u]:
        w.append(v * 0.5)
    for v in sorted(w):
        w[0] += v * v
    for v in reversed(list(w)):
        w.pop()
        w[-1 % len(w)] *= v
        if len(w) < 3:
            break
    return sum(w)
