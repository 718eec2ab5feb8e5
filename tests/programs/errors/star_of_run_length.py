# entry: f
# args: 2.0, 3
# exit: 3
# message: what follows `*` is a list whose length only the run knows
# line: 12


def stars(n, x, *seen):
    if n == 0:
        return sum(seen) * x
    # Entered with numbers of terms that only the run knows.
    return stars(n - 1, x, x * n, *seen)


def f(x, n):
    return stars(int(x) * n, x)
