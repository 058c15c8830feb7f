//! Sorting. Every list of the rules goes through one instance of the library's sort, so that the component carries one.

use std::cmp::Ordering;

/// The items in order; equals keep the order they had.
pub fn sorted<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_indices(&mut order, &|left, right| match (items.get(left), items.get(right)) {
        (Some(left), Some(right)) => compare(left, right),
        _ => Ordering::Equal,
    });
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| items.get_mut(index).and_then(Option::take)).collect()
}

/// For each name whether the same one stands before it.
pub fn repeats(names: &[&str]) -> Vec<bool> {
    let name = |index: usize| names.get(index).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..names.len()).collect();
    sort_indices(&mut order, &|left, right| name(left).cmp(name(right)));
    let mut repeats = vec![false; names.len()];
    for pair in order.windows(2) {
        if let [before, index] = *pair
            && name(before) == name(index)
            && let Some(repeat) = repeats.get_mut(index)
        {
            *repeat = true;
        }
    }
    repeats
}

fn sort_indices(indices: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    indices.sort_by(|left, right| compare(*left, *right));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_but_the_first_of_its_kind_is_a_repeat() {
        assert_eq!(repeats(&["b", "a", "b", "b", "c", "a"]), [false, false, true, true, false, true]);
        assert_eq!(repeats(&[]), [] as [bool; 0]);
    }

    #[test]
    fn equals_keep_their_order() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        let sorted = sorted(items, |left, right| left.0.cmp(&right.0));
        assert_eq!(sorted, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }
}
