//! Strongly connected components of a graph: Tarjan's algorithm (1972) with an explicit stack.

/// The number of the component of each of so many vertices, and how many components there are. A component has a larger
/// number than those that it leads to. `edge` gives the target of the edge of a vertex with a number, from 0 on.
pub fn components(vertices: usize, edge: impl Fn(usize, usize) -> Option<usize>) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let (mut number, mut low, mut component) = (vec![NONE; vertices], vec![0; vertices], vec![NONE; vertices]);
    let (mut open, mut path) = (Vec::new(), Vec::new());
    let (mut next, mut count) = (0, 0);
    for root in 0..vertices {
        if number[root] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some(top) = path.last_mut() {
            let (at, edges) = *top;
            top.1 += 1;
            if edges == 0 {
                (number[at], low[at]) = (next, next);
                next += 1;
                open.push(at);
            }
            if let Some(target) = edge(at, edges) {
                if number[target] == NONE {
                    path.push((target, 0));
                } else if component[target] == NONE {
                    low[at] = low[at].min(number[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                low[before] = low[before].min(low[at]);
            }
            if low[at] == number[at] {
                while let Some(member) = open.pop() {
                    component[member] = count;
                    if member == at {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (component, count as usize)
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn what_leads_to_each_other_is_one() {
        let edges: [&[usize]; 6] = [&[1], &[2, 3], &[0], &[4], &[3, 5], &[5]];
        let (component, count) = components(edges.len(), |at, number| edges[at].get(number).copied());
        assert_eq!((component, count), (vec![2, 2, 2, 1, 1, 0], 3));
    }
}
