import type { Task } from '@tocsin/contract/alarm/assignment'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { TaskPlan } from './TaskPlan.tsx'

it('takes its whole height before the plan is loaded, so that the steps below it stay in place', () => {
  const html = renderToStaticMarkup(<TaskPlan task={{ placePath: '1层 / 101室' } as Task} placeId={3} />)
  expect(html).toBe('<div class="task-plan" style="height:340px"></div>')
})
