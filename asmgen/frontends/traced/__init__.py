"""Python functions over arrays as graphs. `lambda x: np.exp(x) / 2` of 8 numbers becomes

    x = @param:x -> f32, {8}
    exp = exp(x) -> f32, {8}
    literal = @literal{2.0} -> f32, {}
    literal_broadcast = multibroadcast[out_lens={8}](literal) -> f32, {8}, {0}
    div = div(exp, literal_broadcast) -> f32, {8}
    @return(div)

`trace` calls the function once with an `array` for each input. What the function does with it is recorded by
the `tracer`: operators, methods, numpy's functions (`numpy_calls`, `numpy_functions`) and those of
`functions`. `indexing` is `x[...]`, `attributes` are keyword arguments, and `spec` says what an input is.
"""
