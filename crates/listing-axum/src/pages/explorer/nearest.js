// The name that was probably meant: the one that the fewest changes of letters lead to.

export function nearest(word, names) {
  let best = null;
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const changes = distance(word.toLowerCase(), name.toLowerCase());
    if (changes < fewest) {
      [best, fewest] = [name, changes];
    }
  }
  return best;
}

function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + Number(a[i - 1] !== b[j - 1]));
    }
    row = next;
  }
  return row[b.length];
}
