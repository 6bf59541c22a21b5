"""Products of models that many people run, besides those of the scoreboard.

The weights of layers are {n,k}, as models store them. The sizes are those of the published configurations.
"""

from __future__ import annotations

from tools.scoreboard.products.shapes import Product

# n, k of the weights of layers: queries, keys and values together, their output, gate and up together, down
_LAYERS = {
    "llama 8b": ((6144, 4096), (28672, 4096)),
    "llama 70b": ((10240, 8192), (8192, 8192)),
    "llama 1b": ((3072, 2048), (2048, 2048), (16384, 2048), (2048, 8192)),
    "qwen 7b": ((4608, 3584), (3584, 3584), (3584, 18944)),
    "qwen 0.5b": ((1152, 896), (896, 896), (9728, 896), (896, 4864)),
    "bert": ((2304, 768), (768, 768), (3072, 768), (768, 3072)),
    "bert large": ((3072, 1024), (1024, 1024), (4096, 1024), (1024, 4096)),
    "vit huge": ((3840, 1280), (1280, 1280), (5120, 1280), (1280, 5120)),
}
_TOKENS = (16, 32, 128, 512, 2048)
# heads, length and width of attention: bert, vit, whisper, llama, stable diffusion
_HEADS = (
    (12, 128, 64), (16, 512, 64), (12, 197, 64), (96, 197, 64), (20, 1500, 64), (32, 512, 128),
    (32, 1024, 128), (8, 1024, 80), (8, 4096, 40),
)  # fmt: skip
# layers of stable diffusion, by pixels, and of vit for 64 pictures
_OTHERS = ((4096, 320, 320), (4096, 2560, 320), (1024, 640, 640), (256, 1280, 1280), (12608, 768, 768))
_SQUARES = (384, 640, 768, 1280, 1536, 2560, 3072)

MODELS = (
    *(
        Product(name, tokens, n, k, rows=True)
        for name, layers in _LAYERS.items()
        for n, k in layers
        for tokens in _TOKENS
    ),
    *(Product("scores", length, length, width, rows=True, batch=heads) for heads, length, width in _HEADS),
    *(Product("values", length, width, length, batch=heads) for heads, length, width in _HEADS),
    *(Product("picture", m, n, k, rows=True) for m, n, k in _OTHERS),
    *(Product("square", size, size, size, element) for size in _SQUARES for element in ("f16", "f32")),
    Product("batched_gemm", 256, 256, 64, "f32", batch=16),  # of the catalogue
)
