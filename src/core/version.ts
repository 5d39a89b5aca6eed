import packageJson from '../../package.json' with { type: 'json' };

/** The version of this package, as runs remember it. */
export const touchstoneVersion: string = packageJson.version;
