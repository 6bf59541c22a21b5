"""A quotient by a number of an i32 that is never negative is a quotient of a u32; others stay."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.lanewise.math import MathOptions
from asmgen.lanewise.math.rewrite import rewrite

TEXT = """stage lanewise gfx942
module @m {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> i32, {{64}}
  z = @param:z -> i32, {{64}}
  lane = local_id -> u32
  k = convert[target_type=i32](lane) -> i32
  loaded = load(x, lane) -> i32
  by = @literal{{{by}}} -> i32
  large = @literal{{40000000}} -> i32
  mask = @literal{{255}} -> i32
  byte = convert[target_type=u8](loaded) -> u8
  bits = bit_cast[target_type=u32](loaded) -> u32
  three = @literal{{3}} -> u32
  high = shift_right(bits, three) -> u32
  width = @literal{{32}} -> u32
  all = shift_right(bits, width) -> u32
  last = @literal{{31}} -> i32
  sign = right_shift(loaded, last) -> i32
  value = {value} -> i32
  q = {op}(value, by) -> i32
  store(z, lane, q)
  @return(z)
}}
"""


@pytest.mark.parametrize(
    ("value", "by", "is_unsigned"),
    [
        ("identity(k)", 5, True),
        ("add(k, k)", 5, True),
        ("bitwise_and(loaded, mask)", 5, True),
        ("mul(k, mask)", 5, True),
        ("convert[target_type=i32](byte)", 5, True),
        ("bit_cast[target_type=i32](high)", 5, True),
        ("bit_cast[target_type=i32](bits)", 5, False),
        ("bit_cast[target_type=i32](all)", 5, False),  # the hardware shifts by 0
        ("bitwise_xor(loaded, sign)", 5, True),
        ("bitwise_xor(k, sign)", 5, False),
        ("identity(k)", -5, False),
        ("identity(k)", 0, False),
        ("mul(k, large)", 5, False),  # 63 times 40 million wraps
        ("sub(k, mask)", 5, False),
        ("identity(loaded)", 5, False),
        ("add(k, loaded)", 5, False),
    ],
)
@pytest.mark.parametrize("op", ["div", "mod", "fmod"])
def test_a_quotient_is_unsigned(op: str, value: str, by: int, is_unsigned: bool) -> None:
    (module,) = parse(TEXT.format(op=op, value=value, by=by), "m.gen").modules
    divisions = [each for each in rewrite(module, MathOptions()).walk() if each.op.name == op]
    if op == "div" and is_unsigned:
        assert not divisions, "a bounded quotient is a product and a shift"
    else:
        (division,) = divisions
        assert division.result.type.element.name == ("u32" if is_unsigned else "i32")


@pytest.mark.parametrize(("launch", "is_unsigned"), [("block={8,4,2}", True), ("block={8,4,2}, open=block", False)])
def test_the_launch_may_give_all_work_items_to_an_axis(launch: str, is_unsigned: bool) -> None:
    """By 40 million, a place up to 3 stays below 2**31, and a place up to 63 does not."""
    text = TEXT.format(op="div", value="mul(k, large)", by=5).replace("block={64,1,1}", launch).replace("local_id", "local_id[axis=1]")
    (module,) = parse(text, "m.gen").modules
    divisions = [each for each in rewrite(module, MathOptions()).walk() if each.op.name == "div"]
    assert (not divisions) == is_unsigned


@pytest.mark.parametrize(
    ("count", "is_bare"),
    [("add(top, four)", True), ("add(top, seventeen)", False), ("identity(bits)", False), ("bitwise_and(bits, seventeen)", True)],
)
@pytest.mark.parametrize("op", ["left_shift", "right_shift"])
def test_a_count_that_is_below_the_bits_of_the_type_is_not_tested(op: str, count: str, is_bare: bool) -> None:
    """The upper four bits are 15 at most: 15 + 4 is a count of 32 bits, and 15 + 17 is not."""
    head, _, tail = TEXT.format(op="div", value="identity(k)", by=5).partition("  value =")
    literals = "".join(f"  {name} = @literal{{{number}}} -> u32\n" for name, number in (("four", 4), ("seventeen", 17), ("most", 28)))
    shift = f"  top = right_shift(bits, most) -> u32\n  count = {count} -> u32\n  s = {op}(bits, count) -> u32\n"
    text = f"{head}{literals}{shift}  value ={tail}".replace("store(z, lane, q)", "w = bit_cast[target_type=i32](s) -> i32\n  store(z, lane, w)")
    (module,) = parse(text, "m.gen").modules
    names = [each.op.name for each in rewrite(module, MathOptions()).walk() if each.results and each.result.name == "s"]
    assert names == [op.replace("left_shift", "shift_left").replace("right_shift", "shift_right") if is_bare else op]


@pytest.mark.parametrize(
    ("value", "by", "times", "is_masked"),
    [
        ("identity(k)", 8, 8, True),
        ("min(k, mask)", 4, 4, True),
        ("identity(k)", 1, 1, True),
        ("identity(k)", 6, 6, False),
        ("identity(k)", 6, 8, False),
        ("identity(loaded)", 8, 8, False),  # of -1 the rest is -1
        ("min(loaded, mask)", 8, 8, False),
    ],
)
def test_the_rest_by_a_power_of_two_is_the_lowest_bits(value: str, by: int, times: int, is_masked: bool) -> None:
    product = f"q = div(value, by) -> i32\n  times = @literal{{{times}}} -> i32\n  m = mul(q, times) -> i32"
    rest = f"{product}\n  r = sub(value, m) -> i32\n  store(z, lane, r)"
    text = TEXT.format(op="div", value=value, by=by).replace("q = div(value, by) -> i32\n  store(z, lane, q)", rest)
    (module,) = parse(text, "m.gen").modules
    (made,) = [each.op.name for each in rewrite(module, MathOptions()).walk() if each.results and each.result.name == "r"]
    assert made == ("bitwise_and" if is_masked else "sub")


@pytest.mark.parametrize(
    ("value", "is_same"),
    [
        ("min(mask, one_to_seven)", True),
        ("min(one_to_seven, seven)", True),
        ("min(one_to_seven, by)", False),
        ("max(one_to_seven, one)", True),
        ("max(one_to_seven, by)", False),
        ("min(less, six)", True),  # 1 less than 1 to 7
        ("min(less, by)", False),
        ("max(less, one)", False),
        ("min(chosen, mask)", True),  # 1 to 7, or 0 to 63
        ("min(chosen, seven)", False),
        ("min(below, seven)", False),  # less than 0
        ("max(low_byte, one)", False),
        ("min(loaded, mask)", False),
        ("max(loaded, one)", False),
        ("min(clipped, seven)", True),
        ("max(clipped, one)", True),
        ("min(clipped_below, seven)", False),
        ("where(is_below, loaded, one_to_seven)", True),  # of 1 to 7, none is below 0
        ("where(test, loaded, one_to_seven)", False),
    ],
)
def test_an_extreme_of_a_bound_that_is_kept_anyway(value: str, is_same: bool) -> None:
    more = """  one = @literal{{1}} -> i32
  minus = @literal{{-1}} -> i32
  six = @literal{{6}} -> i32
  seven = @literal{{7}} -> i32
  least = max(loaded, one) -> i32
  one_to_seven = min(seven, least) -> i32
  less = sub(one_to_seven, one) -> i32
  low_byte = bitwise_and(loaded, mask) -> i32
  below = sub(low_byte, one) -> i32
  test = less(loaded, one) -> bool
  chosen = where(test, one_to_seven, k) -> i32
  clipped = clip(loaded, one, seven) -> i32
  clipped_below = clip(loaded, minus, seven) -> i32
  zero = @literal{{0}} -> i32
  is_below = less(one_to_seven, zero) -> bool
  value ="""
    text = TEXT.replace("  value =", more).replace("q = {op}(value, by)", "q = {value}").replace("value = {value}", "value = identity(k)")
    (module,) = parse(text.format(value=value, by=5), "m.gen").modules
    (made,) = [each for each in rewrite(module, MathOptions()).walk() if each.results and each.result.name == "q"]
    assert (made.op.name == "identity") is is_same


@pytest.mark.parametrize(("index", "is_same"), [("one_to_seven", True), ("loaded", False)])
def test_an_index_that_may_count_from_the_end(index: str, is_same: bool) -> None:
    """The least of its bits and of those of a sum with a number, as u32: the index if it is not negative."""
    value = f"""  one = @literal{{{{1}}}} -> i32
  seven = @literal{{{{7}}}} -> i32
  least = max(loaded, one) -> i32
  one_to_seven = min(seven, least) -> i32
  total = add({index}, by) -> i32
  a = bit_cast[target_type=u32]({index}) -> u32
  b = bit_cast[target_type=u32](total) -> u32
  m = min(b, a) -> u32
  value ="""
    text = TEXT.replace("  value =", value).replace("q = {op}(value, by)", "q = bit_cast[target_type=i32](m)")
    (module,) = parse(text.format(value="identity(k)", by=100), "m.gen").modules
    (made,) = [each for each in rewrite(module, MathOptions()).walk() if each.results and each.result.name == "m"]
    assert (made.op.name == "identity") is is_same
