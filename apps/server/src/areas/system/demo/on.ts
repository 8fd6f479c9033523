import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import type { Route } from '#http/route'
import { settingOf } from '../config/value.ts'

/** Whether this installation shows the demo pages. */
export const demoOn = async (db: Db): Promise<boolean> => (await settingOf(db, 'site.demo')) === 'true'

/** An entry of the demo menu by what it opens, wherever people have moved it. */
export const isDemo = ({ component }: Pick<Row<'menu'>, 'component'>): boolean =>
  component?.startsWith('demo/') === true

/** The same calls, which nobody serves while the switch is off. */
export const whileOn = (db: Db, routes: readonly Route[]): Route[] =>
  routes.map(({ endpoint, run }) => ({
    endpoint,
    run: async (given) => {
      if (!(await demoOn(db))) throw new Refusal(codes.noUrl)
      return run(given)
    },
  }))
