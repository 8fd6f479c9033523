import { z } from 'zod'
import { field } from '../field.ts'

/** What addresses of this machine and of networks that no stranger reaches are called unless the operator names them. */
export const LOOPBACK_REGION = '本机'
export const INTRANET = '内网'

/** Where an address lies, as the operator's file says; null when nothing says so. Read from the address, never kept. */
export const region = field(z.string().nullable(), '地区', 'Region')
