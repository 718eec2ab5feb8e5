# Functions of tuples.


# A polynomial, the coefficient of the highest power first.
def horner(c, x):
    y = 0.0
    for a in c:
        y = y * x + a
    return y


# The determinant of a matrix, given by its columns, by minors of the first row.
def determinant(columns):
    if len(columns) == 0:
        return 1.0
    return expand((), columns, 1.0)


# The terms of the columns on the right. Of those on the left, the first row is gone already.
def expand(left, right, sign):
    if len(right) == 0:
        return 0.0
    column = right[0]
    minor = left
    for other in right[1:]:
        minor = minor + (other[1:],)
    return sign * column[0] * determinant(minor) + expand(left + (column[1:],), right[1:], -sign)
