// Fields of the line above: what a field cannot mean is said beside it, and changes nothing.

const MOST = 2n ** 64n - 1n;

export const isSeed = (text) => /^\d{1,20}$/.test(text ?? '') && BigInt(text) <= MOST;
export const isEdge = (text) => (text ?? '').trim() !== '' && Number(text) >= -100 && Number(text) < 100;

/** Why a text is no seed, and no number of a game; nothing where it is one. */
export const seedFault = (text) => (isSeed(text) ? '' : 'Write a whole number from 0 to 18,446,744,073,709,551,615.');
export const edgeFault = (text) => (isEdge(text) ? '' : 'Write a percentage from −100 to below 100.');

/** Takes what is put in a field, or says why not. */
export function watch(input, fault, take) {
  const said = document.createElement('span');
  said.className = 'wrong';
  said.id = `${input.id}-wrong`;
  said.setAttribute('role', 'alert');
  input.closest('label').after(said);
  input.setAttribute('aria-describedby', said.id);
  input.addEventListener('change', () => {
    const text = input.value.trim();
    said.textContent = fault(text);
    input.setAttribute('aria-invalid', String(said.textContent !== ''));
    if (!said.textContent) take(text);
  });
}

/** What a plan is asked for, from its fields. */
export function planned() {
  const of = (name) => document.getElementById(`plan-${name}`).value.trim();
  return { patrons: of('patrons'), target_edge: of('target'), decks: Number(of('decks')), nights: Number(of('nights')) };
}
