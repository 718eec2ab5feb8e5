# entry: f
# args: {"t": "complex", "v": [0.3, 0.5]}, 8
# args: {"t": "complex", "v": [0.4, 0.6]}, 50
# wrt: 0
# note: a real number becomes a complex one in a loop; Mandelbrot's iteration, which may end early


def f(c, n):
    z = 0
    for _ in range(n):
        if abs(z) > 2:
            break
        z = z * z + c
    s = 0.0
    for k in range(4):
        s = s * c + k
    return abs(z) + s.real
