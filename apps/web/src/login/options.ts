import { useEffect, useState } from 'react'
import { call, isRecord } from './call.ts'

export type Provider = { key: string; name: string; nameEn: string; icon: string }
/** The ways to sign in of this installation. `mobile` and `email`: codes can be sent there. */
export type Options = {
  /** The name of the installation; undefined: it has only the product's. */
  site: string | undefined
  mobile: boolean
  email: boolean
  qr: boolean
  register: boolean
  social: Provider[]
}

/** Offered while the server has not answered: only user name and password. */
const none: Options = { site: undefined, mobile: false, email: false, qr: false, register: false, social: [] }

/** The server's default name while nobody chose another. */
const PRODUCT = 'Tocsin 校警联'

const isProvider = (value: unknown): value is Provider =>
  isRecord(value) && [value.key, value.name, value.nameEn, value.icon].every((word) => typeof word === 'string')

const decode = (data: unknown): Options | undefined => {
  if (!isRecord(data)) return undefined
  const social: unknown[] = Array.isArray(data.social) ? data.social : []
  return {
    site: typeof data.title === 'string' && data.title !== '' && data.title !== PRODUCT ? data.title : undefined,
    mobile: data.mobile === true,
    email: data.email === true,
    qr: data.qr === true,
    register: data.register === true,
    social: social.filter(isProvider),
  }
}

/** Undefined until the server has answered. */
export const useOptions = () => {
  const [options, setOptions] = useState<Options>()
  useEffect(() => {
    void call({ path: 'system/auth/sign-in-options', decode }).then((answer) =>
      setOptions(answer.ok ? answer.data : none),
    )
  }, [])
  return options
}
