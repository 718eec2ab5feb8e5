# entry: f
# args: 2.675, 2
# args: -1234.5678, -2
# args: 0.15, 1
# args: 5.015, 2
# args: 1e15, 3
# args: 45035996.123456789, 8
# args: 25.0, -1
# args: -0.3, 0
# order: 2
# wrt: 0
# note: to decimal places as CPython rounds, ties of the exact value to even; the derivative is zero


def f(x: float, n: int) -> float:
    total = round(x, n) * x + round(x, 1) + round(x * 7.0, ndigits=3) + round(x, -1) + round(2.5, 0) + round(0.125, 2)
    for d in range(-3, 6):
        total += x * round(x / 3.0, d)
    whole = round(1250, -2) + round(1350, -2) + round(-15, -1) + round(7, 2) + round(n * 37, n) + round(x) + round(-2.5)
    return total + whole * x * x + round(1e-5, 30) + round(123.456, 25)
