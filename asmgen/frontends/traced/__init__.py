"""Python functions over arrays as graphs. `lambda x: np.exp(x) / 2` of 8 numbers becomes

    x = @param:x -> f32, {8}
    exp = exp(x) -> f32, {8}
    literal = @literal{2.0} -> f32, {}
    literal_broadcast = multibroadcast[out_lens={8}](literal) -> f32, {8}, {0}
    div = div(exp, literal_broadcast) -> f32, {8}
    @return(div)

`trace` calls the function once with an `array` for each input and records in the graph each operation of the
function on it. `numpy_calls` has the operators, the methods and numpy's functions, `functions` the ops of gen
text under their own names. `indexing` and `assignment` are `x[...]`, and `spec` describes inputs.
"""
