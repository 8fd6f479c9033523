import type { DeliverySubject } from '@tocsin/contract/notify/delivery'

/** What a driver sends. `to` is the full address, absent for channels of groups. */
export type OutgoingMessage = {
  id: number
  plannedAt: Date
  to: string | null
  level: number
  title: string
  body: string
  subject: { type: DeliverySubject; id: number }
}

/** The provider's response to an accepted message. */
export type ProviderReceipt = { msgId?: string | undefined; answer?: string | undefined }

export const toText = ({ title, body }: OutgoingMessage): string => `${title}\n${body}`
