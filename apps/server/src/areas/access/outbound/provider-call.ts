import { fetchBounded } from './bounded-fetch.ts'

/** Variables of a provider's template, in the order of its placeholders. */
export type SmsParams = Readonly<Record<string, string>>

/** The provider refused permanently: a retry is useless. */
export class PermanentDeliveryError extends Error {}

/**
 * One call of a provider: its JSON answer. Throws PermanentDeliveryError for a permanent refusal, an Error for a
 * temporary one.
 */
export const callProvider = async (url: string, init: RequestInit): Promise<unknown> => {
  const response = await fetchBounded(url, init)
  if (response.status >= 500 || response.status === 429) throw new Error(`the provider answered ${response.status}`)
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new PermanentDeliveryError(`the provider answered ${response.status} without JSON`)
  }
}
