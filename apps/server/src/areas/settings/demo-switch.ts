import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Route } from '#http/route'
import { getSetting } from '#settings/settings-cache'

/** Whether this installation shows the demo pages. */
export const isDemoEnabled = async (db: Db): Promise<boolean> => (await getSetting(db, 'site.demo')) === 'true'

/** An entry of the demo menu by what it opens, wherever people have moved it. */
export const isDemoMenu = ({ component }: Pick<Row<'menu'>, 'component'>): boolean =>
  component?.startsWith('demo/') === true

/** The same calls, which nobody serves while the switch is off. */
export const onlyWhenDemo = (db: Db, routes: readonly Route[]): Route[] =>
  routes.map(({ endpoint, handle }) => ({
    endpoint,
    handle: async (given) => {
      if (!(await isDemoEnabled(db))) throw new BusinessError(codes.noUrl)
      return handle(given)
    },
  }))
