import { hash as argonHash, verify } from '@node-rs/argon2'
import { codes } from '@tocsin/contract/codes'
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { BusinessError } from '#http/business-error'
import { metrics } from '#metrics'
import { fieldError } from '#areas/audit/edit-transaction'
import { containsProductName, isCommon } from './common-passwords.ts'

/** Argon2id with OWASP's first choice of parameters: 46 MiB, one pass, one lane. */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }
const AT_ONCE = 2
const QUEUE = 20

let running = 0
const waiting: (() => void)[] = []

/** Hashing costs 46 MiB and most of a core: two at once, a short queue, and the answer "too many" beyond. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw new BusinessError(codes.tooMany)
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  metrics.passwordHashes.inc()
  try {
    return await work()
  } finally {
    // The slot is handed over, so that no new caller takes it in between.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => argonHash(password, cost))

let dummy: Promise<string> | undefined
/** The hash that is compared where there is none: takes as long, never matches. */
const dummyHash = () => {
  dummy ??= argonHash(randomPassword(), cost)
  return dummy
}

/** @param kept the stored hash; null for an account that does not exist or may not sign in. */
export const verifyPassword = async (kept: string | null, password: string): Promise<boolean> => {
  // Awaited for everybody, so that the first unknown name after a start is no slower than others.
  const nobody = await dummyHash()
  const same = await inTurn(() => verify(kept ?? nobody, password))
  return same && kept !== null
}

/**
 * Costs what a comparison costs, for an answer without one. Such callers may come as often as they like: half of the
 * queue is reserved for real comparisons.
 */
export const simulateVerify = async (password: string): Promise<void> => {
  if (waiting.length < QUEUE / 2) await verifyPassword(null, password)
}

/** Most neighbouring characters are equal or consecutive: aaaaaaaa, abcdefgh, 87654321, 11223344. */
const monotone = (password: string): boolean => {
  const points = [...password].map((character) => character.codePointAt(0) ?? 0)
  const dull = points.filter((point, at) => at > 0 && Math.abs(point - (points[at - 1] ?? 0)) <= 1).length
  return dull >= points.length - 2
}

/** Throws the BusinessError with the reason against a password of allowed length (wire 11.17). */
export const checkNewPassword = (password: string, username: string): void => {
  const plain = password.toLowerCase()
  const name = username.toLowerCase()
  if (plain === name) throw new BusinessError(codes.passwordIsName)
  if (monotone(plain)) throw new BusinessError(codes.passwordMonotone)
  if (!isCommon(plain, name)) return
  throw new BusinessError(containsProductName(plain) ? codes.passwordHasProduct : codes.passwordCommon)
}

/** Without characters that look like others: about 93 bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const randomPassword = (): string =>
  Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Rejects a password that was typed differently the second time; forms may send it only once. */
export const checkConfirmation = (form: z.ZodObject, password: string, confirmation: string | undefined): void => {
  if (confirmation !== undefined && confirmation !== password) throw fieldError(form, 'confirmPassword', 'differs')
}
