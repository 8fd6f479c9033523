import { expect, it } from 'vitest'
import { ApiError, fault } from '#api/error.ts'
import { displayableData } from './QueryResult.tsx'

const shown = (error: ApiError | null) => displayableData({ data: 'old', error })
const answer = (code: number | string, status?: number) => new ApiError({ code, msg: '', status })

it('keeps the loaded data when the server fails or cannot be reached', () => {
  for (const error of [null, answer(500, 500), answer('B0001'), answer(503, 503), fault('OFFLINE'), fault('MALFORMED')])
    expect(shown(error)).toBe('old')
})

it('shows no data that the server refuses by now', () => {
  for (const code of [401, 403, 404]) expect(shown(answer(code, code))).toBeUndefined()
})
