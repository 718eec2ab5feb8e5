def f(x, n):
    longest = 0
    for start in range(1, n):
        k = start
        length = 1
        while k != 1:
            if k % 2 == 0:
                k = k // 2
            else:
                k = 3 * k + 1
            length += 1
        if length > longest:
            longest = length
    return x[0] * longest
