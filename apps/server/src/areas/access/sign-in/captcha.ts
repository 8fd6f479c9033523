import type { Code } from '@tocsin/contract/codes/code'
import { codes } from '@tocsin/contract/codes'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'
import { BusinessError } from '#http/business-error'
import { pictures } from '#areas/files/reencode-image'
import { networkPrefix, consumeRate } from './login-throttle.ts'

const LIFE_MS = 120_000
const RATE = { calls: 30, seconds: 60 }
const LENGTH = 5
/** Without letters that a drawing makes look like others or like digits: C G I L O Q S V W Z. */
const letters = 'ABDEFHJKMNPRTUXY'

type Draw = (text: string, options: Record<string, unknown>) => string

const picture = async (text: string): Promise<string> => {
  // Loaded with the first picture, together with what paints it.
  const [paint, { default: svgCaptcha }] = await Promise.all([pictures(), import('svg-captcha')])
  // The type file omits that the module itself is a function of text and options (its README says so).
  const draw = svgCaptcha as unknown as Draw
  const svg = draw(text, { width: 120, height: 40, fontSize: 40, noise: 2 })
  const png = await paint(Buffer.from(svg)).flatten({ background: '#f2f4f8' }).png().toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

const Sealed = z.strictObject({ answer: z.string(), expires: z.int(), nonce: z.string() })

/** A key that contains its own answer, so that nothing is stored until somebody answers. */
export const encryptCaptcha = (key: Uint8Array, answer: string, expires: Date): string => {
  const content = { answer: answer.toUpperCase(), expires: expires.getTime(), nonce: randomUUID() }
  return encrypt(key, Buffer.from(JSON.stringify(content))).toString('base64url')
}

const decryptCaptcha = (key: Uint8Array, captchaKey: string) => {
  const content = decrypt(key, Buffer.from(captchaKey, 'base64url'))
  return content && Sealed.parse(JSON.parse(content.toString()))
}

/** @param fixed the answer of every picture, in tests only. */
export const createCaptcha = async (db: Db, key: Uint8Array, ip: string, fixed?: string) => {
  const now = await consumeRate(db, `captcha:${networkPrefix(ip)}`, RATE)
  if (!now) throw new BusinessError(codes.tooMany)
  const answer = fixed ?? Array.from({ length: LENGTH }, () => letters[randomInt(letters.length)]).join('')
  return {
    captchaKey: encryptCaptcha(key, answer, new Date(now.getTime() + LIFE_MS)),
    captchaBase64: await picture(answer),
  }
}

/** A wrong answer is reported at its field; a used or missing key is the message of SPEC 8. */
const wrongAnswer = (code: Code): BusinessError =>
  new BusinessError(code, undefined, { errors: [{ field: 'captchaCode', message: code.zh }] })

/** Any attempt uses the key up, a wrong one too: every guess needs a new picture. */
const useUp = async (db: Db, captchaKey: string, expires: Date) => {
  const used = await db
    .insertInto('captchaUse')
    .values({ keyHash: createHash('sha256').update(Buffer.from(captchaKey, 'base64url')).digest(), expiresAt: expires })
    .onConflict((conflict) => conflict.column('keyHash').doNothing())
    .returning(sql<boolean>`expires_at > now()`.as('inTime'))
    .executeTakeFirst()
  if (!used) throw new BusinessError(codes.captchaUsed)
  if (!used.inTime) throw wrongAnswer(codes.captchaExpired)
}

/** Throws the BusinessError for a wrong key or answer. */
export const checkCaptcha = async (db: Db, key: Uint8Array, captchaKey: string, captchaCode: string) => {
  const content = decryptCaptcha(key, captchaKey)
  if (!content) throw new BusinessError(codes.captchaGone)
  await useUp(db, captchaKey, new Date(content.expires))
  if (captchaCode.trim().toUpperCase() !== content.answer) throw wrongAnswer(codes.captchaWrong)
}
