import { endpoints } from '@tocsin/contract/all'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { describe, expect, it } from 'vitest'
import { wordsOf } from './words.ts'

/** Calls that leave a row in the operation log: what changes something, also where it was refused, and sheets. */
const leavesRow = ({ method, path, also = [] }: Endpoint): boolean =>
  [method, ...also.map((one) => one.method ?? method)].some((one) => one !== 'GET') || /\/export(-later)?$/.test(path)

const actions = endpoints.filter((one) => leavesRow(one) && one.permission.includes(':')).map((one) => one.permission)
const cut = (action: string) => action.lastIndexOf(':')

describe('the filters of the operation log', () => {
  it('offer each module that a call can leave a row of, by its name', () => {
    const modules = new Set(actions.map((action) => action.slice(0, cut(action))))
    expect([...modules].filter((one) => !wordsOf('auditModule').includes(one))).toEqual([])
    expect(modules.size).toBeGreaterThan(15)
  })

  it('offer each operation of these, by its name', () => {
    const verbs = new Set(actions.map((action) => action.slice(cut(action) + 1)))
    expect([...verbs].filter((one) => !wordsOf('auditVerb').includes(one))).toEqual([])
  })
})
