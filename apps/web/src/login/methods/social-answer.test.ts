import { describe, expect, it } from 'vitest'
import { socialAnswer } from './SocialReturn.tsx'

const read = (query: string) => socialAnswer(new URLSearchParams(query))

describe('what a provider brought back', () => {
  it('is read from the address, its provider from the state', () => {
    expect(read('code=abc&state=city-sso.x1y2')).toEqual({
      provider: 'city-sso',
      code: 'abc',
      state: 'city-sso.x1y2',
      iss: null,
    })
    expect(read('code=abc&state=oidc.1&iss=https%3A%2F%2Fidp')).toMatchObject({ iss: 'https://idp' })
  })

  it('can be a rejection', () => {
    expect(read('error=access_denied&state=oidc.1')).toMatchObject({ provider: 'oidc', code: null })
  })

  it.each([
    '',
    'redirect=%2Fdesk',
    'code=abc',
    'code=abc&state=nothing',
    'state=oidc.1',
    'code=a&state=.x',
    'code=a&state=A.x',
  ])('is not %j', (query) => expect(read(query)).toBeUndefined())
})
