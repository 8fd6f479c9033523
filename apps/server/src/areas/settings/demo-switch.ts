import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Route } from '#http/route'
import { getSetting } from '#settings/settings-cache'

/** Whether this installation offers the demo pages. */
export const isDemoEnabled = async (db: Db): Promise<boolean> => (await getSetting(db, 'site.demo')) === 'true'

/** Detects an entry of the demo menu by its component, wherever users have moved it. */
export const isDemoMenu = ({ component }: Pick<Row<'menu'>, 'component'>): boolean =>
  component?.startsWith('demo/') === true

/** The calls of the demo, which are disabled while the switch is off. */
export const onlyWhenDemo = (db: Db, routes: readonly Route[]): Route[] =>
  routes.map(({ endpoint, handle }) => ({
    endpoint,
    handle: async (given) => {
      if (!(await isDemoEnabled(db))) throw new BusinessError(codes.noUrl)
      return handle(given)
    },
  }))
