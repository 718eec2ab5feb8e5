# entry: f
# args: 0.5, 0.8
# args: -1.2, 0.3
# note: z ** 3 = 1 in the complex plane, left by break when it is close


def f(a, b):
    steps = 0
    for _ in range(50):
        re = a * a * a - 3 * a * b * b - 1.0
        im = 3 * a * a * b - b * b * b
        if re * re + im * im < 1e-6:
            break
        da = 3 * (a * a - b * b)
        db = 6 * a * b
        n = da * da + db * db
        steps += 1
        a, b = a - (re * da + im * db) / n, b - (im * da - re * db) / n
    return a + 2 * b + steps
