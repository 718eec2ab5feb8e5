# Mutable boxes (`from gradus import Box`), after Innes et al. 2019, section 3.2. The store holds what is in all of them: the number of the
# next one, and a tree in which the bits of a number lead to the content of the box with that number. A change makes another tree, which
# shares what has not changed; so the cotangent of the store is such a tree, in which reading adds to a box, and writing takes what is
# there and leaves nothing. An empty tree is the empty box of `opened_node`, whose parts are empty, and in which there is nothing yet.

def _node(tree, i):
    while i > 0:
        tree = opened_node(tree)[2][i % 2]
        i = i // 2
    return opened_node(tree)
def _with_content(tree, i, content):
    filled, old, (even, odd) = opened_node(tree)
    if i == 0:
        return packed_node(True, content, (even, odd))
    if i % 2 == 0:
        return packed_node(filled, old, (_with_content(even, i // 2, content), odd))
    return packed_node(filled, old, (even, _with_content(odd, i // 2, content)))
def _new_box():
    count, tree = store()
    set_store((count + 1, tree))
    return varying(count)
def _is_filled(box):
    return _node(store()[1], varying(number_of(box)))[0]
def _content(box):
    return _node(store()[1], varying(number_of(box)))[1]
def _set_box(box, value):
    count, tree = store()
    set_store((count, _with_content(tree, varying(number_of(box)), packed(value, box))))
