"""The two hash tables by which a loader finds a dynamic symbol (System V ABI, "Hash Table"; GNU's .gnu.hash),
as lld lays them out."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_BLOOM_SHIFT = 26
_BLOOM_BITS_A_SYMBOL = 12
_WORD_BITS = 64


def system_v_hash(name: str) -> int:
    """The hash of the System V ABI."""
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value ^= high >> 24
        value &= ~high & 0xFFFFFFFF
    return value


def gnu_hash(name: str) -> int:
    value = 5381
    for byte in name.encode():
        value = value * 33 + byte & 0xFFFFFFFF
    return value


def gnu_bucket_count(symbols: int) -> int:
    """How many buckets lld gives to that many symbols."""
    return max(symbols // 4, 1)


def in_gnu_order(names: Sequence[str]) -> list[int]:
    """The indices of names in the order that .gnu.hash asks for: by bucket."""
    count = gnu_bucket_count(len(names))
    return sorted(range(len(names)), key=lambda index: gnu_hash(names[index]) % count)


def gnu_hash_table(names: Sequence[str]) -> bytes:
    """The section .gnu.hash of dynamic symbols in their order (`in_gnu_order`), the first of which is symbol
    1."""
    words = 1 << (len(names) * _BLOOM_BITS_A_SYMBOL // _WORD_BITS).bit_length() if names else 1
    bloom = [0] * words
    buckets = [0] * gnu_bucket_count(len(names))
    hashes = [gnu_hash(name) for name in names]
    values: list[int] = []
    for index, value in enumerate(hashes):
        bloom[value // _WORD_BITS % words] |= (
            1 << value % _WORD_BITS | 1 << (value >> _BLOOM_SHIFT) % _WORD_BITS
        )
        bucket = value % len(buckets)
        buckets[bucket] = buckets[bucket] or index + 1
        is_last = index + 1 == len(hashes) or hashes[index + 1] % len(buckets) != bucket
        values.append(value & ~1 | is_last)
    header = struct.pack("<IIII", len(buckets), 1, words, _BLOOM_SHIFT)
    return header + struct.pack(f"<{words}Q{len(buckets)}I{len(values)}I", *bloom, *buckets, *values)


def system_v_hash_table(names: Sequence[str]) -> bytes:
    """The section .hash of the same symbols; symbol 0 has no name."""
    count = len(names) + 1
    buckets, chains = [0] * count, [0] * count
    for index, name in enumerate(names, 1):
        bucket = system_v_hash(name) % count
        chains[index], buckets[bucket] = buckets[bucket], index
    return struct.pack(f"<{2 + 2 * count}I", count, count, *buckets, *chains)
