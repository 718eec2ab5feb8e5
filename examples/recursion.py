# Recursion that no loop replaces: the length of all branches of a tree. Each branch carries two that are shorter by `ratio`,
# until they are too short to count. Each call makes two more, so the gradient flows back through a tree of calls.
#
#   $ gradus grad examples/recursion.py tree 1.0 0.6
#   value     15.218586950583042
#   gradient  (15.218586950583035, 118.58192479050876)


def tree(length, ratio):
    if length < 0.01:
        return 0.0
    return length + tree(length * ratio, ratio) + tree(length * ratio * 0.9, ratio)
