import { expect, it } from 'vitest'

it('turns off code generation when it is imported before zod', async () => {
  await import('./zod-config.ts')
  const { z } = await import('zod')
  expect(z.config().jitless).toBe(true)
})
