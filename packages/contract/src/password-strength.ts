/** Substrings that an attacker tries first add nothing. */
const known =
  /passw(or|0r)d|admin|qwert(y|yuiop)?|asdf(gh)?|iloveyou|welcome|woaini|5201314|(19|20)\d\d|1q2w3e(4r)?|tocsin/gi

const pools: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/\P{ASCII}/u, 1000],
]

/** A repeated character or the next in a row ('aaa', '1234', 'dcba') adds nothing. */
const surprises = (characters: string[]) =>
  characters.filter((character, at) => {
    const before = characters[at - 1]?.codePointAt(0)
    return before === undefined || Math.abs((character.codePointAt(0) ?? 0) - before) > 1
  })

const withoutName = (password: string, username: string) => {
  const name = username.trim().toLowerCase()
  const at = name.length < 3 ? -1 : password.toLowerCase().indexOf(name)
  return at < 0 ? password : password.slice(0, at) + password.slice(at + name.length)
}

/**
 * 0 too short, 1 weak, 2 fair, 3 good, 4 strong: a rough estimate of the bits an attacker must guess. A hint while
 * typing; the server decides whether the password is accepted.
 */
export const passwordStrength = (password: string, username: string) => {
  if (password.length < 8) return 0
  const left = surprises([...withoutName(password, username).replaceAll(known, '')])
  const pool = pools.reduce(
    (sum, [pattern, size]) => (left.some((character) => pattern.test(character)) ? sum + size : sum),
    1,
  )
  const bits = left.length * Math.log2(pool)
  return 1 + [40, 55, 70].filter((limit) => bits >= limit).length
}
