# entry: gcd
# args: 1071, 462
# args: 17, 5
# args: 0, 9


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
