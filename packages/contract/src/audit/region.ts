import { z } from 'zod'
import { field } from '../field.ts'

/** Names of this machine and of private networks, unless the operator names them. */
export const LOOPBACK_REGION = '本机'
export const INTRANET = '内网'

/** The region of an address by the operator's file; null when unknown. Derived from the address, never stored. */
export const region = field(z.string().nullable(), '地区', 'Region')
