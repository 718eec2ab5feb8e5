def f(x, n):
    total = 0
    for i in range(n):
        for j in range(n):
            cr = x[0] + 3.0 * j / n
            ci = x[1] + 2.0 * i / n
            zr = 0.0
            zi = 0.0
            k = 0
            while k < 200 and zr * zr + zi * zi <= 4.0:
                t = zr * zr - zi * zi + cr
                zi = 2.0 * zr * zi + ci
                zr = t
                k += 1
            total += k
    return float(total)
