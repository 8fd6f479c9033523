import { pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Few iterations, like mosquitto_passwd: the secret is 256 random bits and cannot be guessed. */
const ROUNDS = 101
const SALT_BYTES = 12
const HASH_BYTES = 64

/** The form that mosquitto 2 stores in a password_file: PBKDF2 with SHA-512, marked 7. */
const formatHash = (password: string, salt: Buffer): string => {
  const hash = pbkdf2Sync(password, salt, ROUNDS, HASH_BYTES, 'sha512')
  return `$7$${ROUNDS}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Hashes a password with a new salt for a password_file of mosquitto 2. */
export const mosquittoPasswordHash = (password: string): string => formatHash(password, randomBytes(SALT_BYTES))

/** Whether the line of a password_file matches this password. */
export const isMosquittoHashOf = (hash: string, password: string): boolean => {
  const [, , , salt = ''] = hash.split('$')
  const [expected, given] = [Buffer.from(formatHash(password, Buffer.from(salt, 'base64'))), Buffer.from(hash)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
