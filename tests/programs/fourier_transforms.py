# entry: f
# args: [0.5, -1.0, 2.0, 0.25, 1.5, -0.75], [[1.0, 0.5, -0.25], [0.3, -2.0, 0.7]]
# by: jax
# note: Fourier transforms in one dimension and in two, of real and of complex numbers, to other lengths and scaled

import jax.numpy as jnp


def spectrum(x):
    return jnp.abs(jnp.fft.fft(x)) ** 2


def derivative(x):
    k = 2j * jnp.pi * jnp.fft.fftfreq(len(x), 0.5)
    return jnp.fft.ifft(k * jnp.fft.fft(x)).real


def convolved(x, y):
    n = len(x) + len(y) - 1
    return jnp.fft.irfft(jnp.fft.rfft(x, n) * jnp.fft.rfft(y, n), n)


def f(x, image):
    z = jnp.fft.fft(x * jnp.exp(1j * x), norm="ortho")
    smooth = jnp.fft.ifft2(jnp.fft.fft2(image) / (1.0 + jnp.abs(jnp.fft.fft2(image)))).real
    rows = jnp.fft.rfft(image, axis=0)
    centred = jnp.fft.fftshift(jnp.fft.fftn(image), axes=1)
    total = jnp.sum(jnp.log(1.0 + spectrum(x))) + jnp.sum(derivative(x) ** 3) + jnp.sum(convolved(x, x[:4]) ** 2)
    total = total + jnp.sum(jnp.sin(z.real) * z.imag) + jnp.sum(smooth ** 2)
    total = total + jnp.sum(jnp.abs(rows) * jnp.angle(rows + 2.0)) + jnp.sum(centred.real * centred.imag)
    return total + jnp.sum(jnp.fft.irfftn(rows, s=(2, 4)) ** 2) + jnp.sum(jnp.fft.hfft(z[:3]) ** 2)
