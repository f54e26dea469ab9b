// The whole state of the designer, kept in the part of the address that is never sent: a copied address is the same page.

export const state = {
  file: 'my-house.toml',
  text: 'extends = "canfield"\n',
  strategies: ['greedy'],
  games: 100000,
  seed: '1',
  target: 5,
  pinned: null,
  // The text of the file on the disk, as far as it is known; not part of the address.
  known: null,
};

export function fromAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (said.has('file')) state.file = said.get('file');
  if (said.has('rules')) state.text = said.get('rules');
  if (said.has('s')) state.strategies = said.getAll('s');
  if (said.has('n')) state.games = Number(said.get('n')) || state.games;
  if (/^\d+$/.test(said.get('seed') ?? '')) state.seed = said.get('seed');
  if (said.has('edge')) state.target = Number(said.get('edge'));
  if (said.has('pin')) state.pinned = { name: said.get('pinfile') ?? state.file, text: said.get('pin'), title: said.get('pinname') ?? '' };
}

export function toAddress() {
  const said = new URLSearchParams();
  said.set('file', state.file);
  said.set('rules', state.text);
  state.strategies.forEach((name) => said.append('s', name));
  said.set('n', state.games);
  said.set('seed', state.seed);
  said.set('edge', state.target);
  if (state.pinned) {
    said.set('pinfile', state.pinned.name);
    said.set('pinname', state.pinned.title);
    said.set('pin', state.pinned.text);
  }
  history.replaceState(null, '', `#${said}`);
  const table = new URLSearchParams({ file: state.file, rules: state.text, seed: state.seed });
  document.getElementById('to-table').href = `/table#${table}`;
}
