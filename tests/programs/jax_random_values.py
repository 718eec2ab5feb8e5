# entry: f
# args: 0
# args: 12345678901
# by: jax
# note: the values of each distribution
import jax
import jax.numpy as jnp


def f(seed):
    key = jax.random.key(seed)
    ks = jax.random.split(key, 20)
    uniform = jax.random.uniform(ks[0]), jax.random.uniform(ks[1], (2, 3)), jax.random.normal(ks[2], (5,))
    single = jax.random.uniform(ks[3], (4,), dtype=jnp.float32), jax.random.bits(ks[3], (3,), "uint32")
    ints = jax.random.randint(ks[4], (5,), 0, 100), jax.random.randint(ks[5], (), -5, 7), jax.random.randint(ks[6], (2,), 0, 2**62 + 5)
    orders = jax.random.permutation(ks[7], 8), jax.random.permutation(ks[7], jnp.arange(6.0).reshape(3, 2)), jax.random.permutation(ks[7], 2000)[:5]
    chosen = jax.random.choice(ks[8], 10, (3,)), jax.random.choice(ks[8], 10, (3,), replace=False), jax.random.choice(ks[8], jnp.array([1.5, 2.5]))
    by_chance = jax.random.choice(ks[9], 3, (4,), p=jnp.array([0.2, 0.3, 0.5])), jax.random.choice(ks[9], 3, (2,), False, jnp.array([0.2, 0.3, 0.5]))
    bits = jax.random.bernoulli(ks[10], 0.3, (4,)), jax.random.bernoulli(ks[10]), jax.random.rademacher(ks[11], (3,))
    others = jax.random.exponential(ks[12], (2,)), jax.random.gumbel(ks[13], (2,)), jax.random.laplace(ks[14], (2,)), jax.random.logistic(ks[15], (2,))
    logits = jnp.array([[0.1, 0.5, 2.0], [1.0, 0.0, -1.0]])
    categories = jax.random.categorical(ks[16], logits), jax.random.categorical(ks[17], logits, axis=0), jax.random.categorical(ks[18], logits, shape=(4, 2))
    return uniform, single, ints, orders, chosen, by_chance, bits, others, categories, jax.random.cauchy(ks[19], (2,))
