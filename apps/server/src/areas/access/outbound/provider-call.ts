import { fetchBounded } from './bounded-fetch.ts'

/** The other side said no for good: trying again is no use. */
export class PermanentDeliveryError extends Error {}

/** One call of a provider: its JSON answer; throws PermanentDeliveryError for a lasting refusal, an Error for a passing one. */
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
