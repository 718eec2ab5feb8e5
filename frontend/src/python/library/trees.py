# Tuples, dicts and records of arrays as trees: `jax.tree_util`, `jax.flatten_util` and Autograd's `flatten`. `None` is a tree without leaves.

def jax_tree_map(f, tree, *rest, is_leaf=None):
    if is_leaf is not None and is_leaf(tree):
        return f(tree, *rest)
    if tree is None:
        return None
    # Beside a gradient, a function is the record of what it captures, and what has no gradient stays as it is.
    if len(rest) > 0:
        tree = recorded(tree)
    if isinstance(tree, dict):
        return {k: jax_tree_map(f, tree[k], *[other[k] for other in rest], is_leaf=is_leaf) for k in tree}
    parts = fields_of(tree)
    if parts is None:
        return tree if len(rest) > 0 and rest[0] is None and _is_discrete(tree) else f(tree, *rest)
    mapped = ()
    for k in range(len(parts)):
        mapped = mapped + (jax_tree_map(f, parts[k], *[_part_alike(other, k, parts) for other in rest], is_leaf=is_leaf),)
    return alike(tree, mapped)
def _part_alike(tree, k, parts):
    fields = fields_of(tree)
    if fields is None or len(fields) != len(parts):
        return refuse("`tree_map` goes over trees of one shape")
    return fields[k]
# Those of a dict in the order of its keys, sorted.
def jax_tree_leaves(tree, is_leaf=None):
    return [*_leaves(tree, is_leaf)]
def _leaves(tree, is_leaf):
    if is_leaf is not None and is_leaf(tree):
        return (tree,)
    if tree is None:
        return ()
    parts = _parts_in_order(tree)
    if parts is None:
        return (tree,)
    leaves = ()
    for part in parts:
        leaves = leaves + _leaves(part, is_leaf)
    return leaves
def _parts_in_order(tree):
    return [tree[k] for k in builtins_sorted(tuple(tree))] if isinstance(tree, dict) else fields_of(tree)
def jax_tree_reduce(function, tree, *initializer):
    return functools_reduce(function, jax_tree_leaves(tree), *initializer)
def jax_tree_all(tree):
    return _all_of(jax_tree_leaves(tree))
# The structure of a tree is the tree.
def jax_tree_flatten(tree):
    return (jax_tree_leaves(tree), tree)
def jax_tree_unflatten(treedef, leaves):
    return _refilled(treedef, tuple(leaves))[0]
# The tree with other leaves, and those that are left.
def _refilled(tree, leaves):
    if tree is None:
        return (None, leaves)
    if isinstance(tree, dict):
        filled = {}
        for k in builtins_sorted(tuple(tree)):
            part, leaves = _refilled(tree[k], leaves)
            filled = {**filled, k: part}
        return ({k: filled[k] for k in tree}, leaves)
    parts = fields_of(tree)
    if parts is None:
        return (leaves[0], leaves[1:])
    filled = ()
    for part in parts:
        part, leaves = _refilled(part, leaves)
        filled = filled + (part,)
    return (alike(tree, filled), leaves)
def jax_ravel_pytree(tree):
    leaves = jax_tree_leaves(tree)
    def unravel(flat):
        parts, at = (), 0
        for leaf in leaves:
            n = _product(shape_of(leaf))
            parts = parts + (reshape(flat[at:at + n], shape_of(leaf)),)
            at = at + n
        return jax_tree_unflatten(tree, parts)
    flat = [ravel(leaf) for leaf in leaves]
    return (concatenate(flat) if len(flat) > 0 else zeros(0), unravel)
